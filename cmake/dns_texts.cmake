# Puts the text of files into a header made from TEMPLATE.in: @completion_bash@ that of
# completion.bash. Files of other folders have a whole path.
function(embed_texts folder template)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file FILENAME variable)
    string(REPLACE "." "_" variable ${variable})
    file(READ ${file} ${variable})
  endforeach()
  configure_file(${folder}/${template}.in ${template} @ONLY)
endfunction()
